// Package budget decides when the product saves commands, because its month is costing more
// than its owner wants. It knows the game file's budget, what the days of the month have cost,
// and the time. Others tell it what was spent, and act on its measures. It must not know
// Redis, boards or HTTP.
//
// # Pace
//
// What the days before today have left of the month's budget is divided evenly among today and
// the days to come: that is today's allowance. A quarter of it may be spent at any time; the
// other three quarters come in evenly from midnight to midnight UTC. Both together are what
// may be spent by now, and the pace is what today has cost as a part of that. So a day that
// has used 80% of its allowance at 10:00 is at 142%, and at 23:50 at 80%.
//
// The allowance follows the month: a day that cost more than its share leaves
// each day after it a little less, and a cheap one a little more. A month of
// which nothing is left has the highest pace. Where each day ends at 100% or
// below, the month ends within its budget.
package budget
