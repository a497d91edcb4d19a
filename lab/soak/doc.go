// Package soak plays weeks and months of a whole game against a product in this process,
// with everything that goes wrong in that time, and compares every board with the plain
// model of package model.
//
// It knows the HTTP API, the controls of the local product, and what goes wrong. It must
// not know how the product computes or keeps boards: from the product's packages it uses
// only the game's description and its calendar.
package soak
