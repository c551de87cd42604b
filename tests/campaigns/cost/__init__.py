"""What it costs to look at what others send: seconds of CPU a MiB, and the longest hold of the event loop."""
