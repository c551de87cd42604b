"""Storage on disk: files, match stores, the home folder, contacts."""
