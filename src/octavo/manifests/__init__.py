"""What the export of an organization says besides the files of its spaces, both ways."""
