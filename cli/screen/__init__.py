"""The full-screen application on prompt_toolkit."""
