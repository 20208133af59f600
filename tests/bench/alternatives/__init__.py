"""Other methods than the solver's own, for comparison; see README.md here."""
