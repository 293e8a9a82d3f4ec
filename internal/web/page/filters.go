package page

// rowChoices are the numbers of rows that a list offers.
var rowChoices = []int{25, 50, 100, 250}
