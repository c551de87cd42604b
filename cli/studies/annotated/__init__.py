"""Games of the strong bots with notes: records as they were played, chosen for what they show."""
