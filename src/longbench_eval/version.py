"""The version, read by the build and written into every signature."""

__version__ = "0.1.0"
