"""How far a threshold and a score carry: fewer tasks to calibrate on, another benchmark."""
