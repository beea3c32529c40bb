raise RuntimeError('broken in import')
