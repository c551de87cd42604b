"""Line mode: a match as lines in and lines out."""
