"""The Contacts plugin, which reports contacts between geoms."""
