"""What reaches the disk: files, match stores, the home folder, contacts."""
