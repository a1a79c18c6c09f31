"""What is measured of countci itself, and what it is good for; nothing here is a test."""
