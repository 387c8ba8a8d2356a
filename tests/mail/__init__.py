"""Tests of the ways in and out, with servers of their own making."""
