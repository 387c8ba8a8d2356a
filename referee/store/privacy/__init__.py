"""The stored data about a person: whose rows they are, as JSON, and their deletion."""
