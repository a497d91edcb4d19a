// Package usage reports what the product spends: for each invocation as a line of CloudWatch's
// embedded metric format or as Prometheus text; and by day and function as counters in Redis.
// The daily schedule moves the counters to an archive, where they are compared with Upstash's
// own figures.
//
// It knows invocations, their meters and their callers, and the counters' keys: one for each
// day and one for each month, from which package budget's guard learns. It must not know
// boards, what a route means or SQL. It links no database driver, since the functions that
// take scores link it.
//
// # Cost
//
// A process writes its counters with one command, at most every 5 minutes, and only once it
// has at least 100 commands to report: at most 1% of the bill; and once before its end, if it
// has 20. The command has at most 16 KB. In return, what is less, and what a process had not
// written when it crashed, is missing from the counters. Lines and Prometheus lose nothing.
//
// With a budget each write also adds to the month's total of its day, in the same round trip:
// 2 commands, or 3 on the first write of a day, which reads the month's other days. It still
// comes no more often than once for 100 commands for each of these. A process that has 100
// commands, too few to write, reads the month once. So a busy process knows what all processes
// had reported at most 5 minutes ago; one that spends less, 200 commands of its own ago.
package usage
