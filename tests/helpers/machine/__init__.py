"""What surrounds a test on its machine: files and failing disks, homes, processes, Node, Chromium."""
