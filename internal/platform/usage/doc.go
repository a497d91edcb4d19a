// Package usage reports what the product spends: each invocation in a line of the log and in
// metrics for Prometheus, and each day and function in counters in Redis. The daily schedule
// writes the counters to the archive, and compares them with Upstash's own figures.
//
// It knows invocations, their meters and their callers, and the counters' keys: one for each
// day, and one for each month, whose totals the guard of package budget uses. It must not know
// boards, what a route means or SQL. It links no database driver, since the functions that
// take scores link it.
//
// # Cost
//
// A process writes its counters with one command, at most every 5 minutes, and only when it
// has at least 100 commands to report. So counting costs at most 1% of the bill. Before it
// ends, a process writes once more if it has 20 commands to report. The command has at most
// 16 KB. The counters lack what is below these limits, and what a process had not written when
// it crashed. Lines and Prometheus lack nothing.
//
// With a budget, each write also adds to the month's totals, in the same round trip. A write
// then costs 2 commands, or 3 if it is the process's first of a day, since that one reads the
// totals of the month's other days. A process has to have 100 commands to report for each of
// these, and 40 before it ends. If it has 100, but too few for a write, it reads the totals
// once. So a busy process knows what all processes had reported at most 5 minutes ago; a
// process that spends less knows what they had reported before its own last 200 commands.
package usage
