"""What of other files may help at a place: never more than the user's policy lets a model see."""
