"""The door for visitors: the HTML of published sites, on their own hosts and under `/sites/`."""
