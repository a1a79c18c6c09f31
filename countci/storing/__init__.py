"""What is known already, and what a run leaves on disk."""
