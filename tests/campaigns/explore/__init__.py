"""Real seats against seats that forge, under random schedules; what a schedule breaks is shrunk."""
