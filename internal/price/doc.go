// Package price tells what a month costs at list prices, item by item, on each of
// the vendors' plans.
//
// It knows prices.json, which is all that has to change when a vendor's prices do,
// and quantities. It must not know how they were counted, and it reads nothing
// while a process starts: functions that take scores carry it.
package price
