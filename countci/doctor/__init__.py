"""What would disturb a measurement here, and what to do about it."""
