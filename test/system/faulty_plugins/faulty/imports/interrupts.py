raise KeyboardInterrupt('interrupt in import')
