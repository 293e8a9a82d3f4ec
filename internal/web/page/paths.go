package page

// ChoosePath is where a person chooses a password after signing in with the one that the
// first start printed.
const ChoosePath = "/password"

// FactorPath is where a second factor is set up.
const FactorPath = "/profile/second-factor"

// CodePath is where the second step of signing in is made.
const CodePath = "/signin/code"

// UndoPath is what all paths that take changes back are below. The way back is in a
// cookie, which is nothing to rely on: a page offers none that leads elsewhere.
const UndoPath = "/undo"
