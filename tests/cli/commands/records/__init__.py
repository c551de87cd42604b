"""Commands that read finished or kept records."""
