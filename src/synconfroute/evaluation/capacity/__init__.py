"""`synconfroute plan`: from how much is asked to how many servers answer it (extra `plan`).

A simulation of the organisation's side: developers whose editors follow our client's own rules, and
replicas of vLLM that answer several requests at once. What a replica can do comes from a profile,
which is measured, or else assumed and then said to be.
"""
