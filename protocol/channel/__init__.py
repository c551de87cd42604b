"""An authenticated channel between two programs: frames, TLS, limits, and the callers that nobody knows."""
