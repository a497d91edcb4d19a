// A client for games in Kotlin, on Android (API level 21) or a JVM (8); it needs org.json, which
// Android has. Each call blocks until it has a result: use it off the main thread, such as in
// withContext(Dispatchers.IO).
package com.framedle.leaderboards

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.net.URLEncoder
import java.util.UUID
import kotlin.random.Random
import org.json.JSONException
import org.json.JSONObject

/** An error response of the API, or a request without a response. */
class LeaderboardsException(
    val status: Int, // 0 without a response
    val code: String, // as in the list of errors, such as "date-closed"; "network" without a response
    detail: String,
    val retryAfter: Double?, // seconds
    cause: Throwable? = null
) : Exception(detail, cause) {
    /** A conflict is temporary while an earlier attempt with the same key is still running. */
    val isTemporary: Boolean
        get() = status == 0 || status == 408 || status == 429 || (status >= 500 && status != 501) || code == "idempotency-key-in-use"
}

/** [token] returns the player's current session or device token; it is called before each attempt. */
class Leaderboards(url: String, private val token: () -> String) {
    private val base = url.trimEnd('/') + "/v1"

    /**
     * Submits a score. A score that must survive a restart of the game needs a [key] of the caller's:
     * store it with the score, and send both again until there is a result.
     */
    fun submit(mode: String, score: Double, key: String = UUID.randomUUID().toString()): JSONObject =
        ask("/scores", own = true, body = JSONObject().put("mode", mode).put("score", score), key = key)

    /** Reads a page of a board; [cursor] is the `next_cursor` of the page before. */
    fun page(mode: String, period: String = "day", limit: Int = 50, cursor: String? = null): JSONObject =
        ask("/leaderboards/$mode", mapOf("period" to period, "limit" to limit.toString(), "cursor" to cursor))

    /** Reads the standing of the token's player; its `rank` is null if they are not on the board. */
    fun ownCard(mode: String, period: String = "day"): JSONObject =
        ask("/leaderboards/$mode/players/me", mapOf("period" to period), own = true)

    // All attempts send the same key, so the request takes effect once. A body makes it a POST.
    private fun ask(
        path: String,
        query: Map<String, String?> = emptyMap(),
        own: Boolean = false,
        body: JSONObject? = null,
        key: String? = null
    ): JSONObject {
        val parameters = query.filterValues { it != null }.map { (name, value) -> "$name=" + URLEncoder.encode(value, "UTF-8") }
        val address = URL(base + path + if (parameters.isEmpty()) "" else parameters.joinToString("&", "?"))
        var attempt = 1
        while (true) {
            val headers = HashMap<String, String>()
            if (own) headers["Authorization"] = "Bearer " + token()
            if (key != null) headers["Idempotency-Key"] = "\"$key\""
            try {
                return send(address, headers, body)
            } catch (failure: LeaderboardsException) {
                val wait = failure.retryAfter ?: (Random.nextDouble() * 0.25 * (1 shl attempt))
                if (!failure.isTemporary || attempt == ATTEMPTS || wait > LONGEST_WAIT) throw failure
                Thread.sleep((wait * 1000).toLong())
                attempt++
            }
        }
    }

    private fun send(address: URL, headers: Map<String, String>, body: JSONObject?): JSONObject {
        val connection = address.openConnection() as HttpURLConnection
        val status: Int
        val text: String
        try {
            connection.connectTimeout = TIMEOUT
            connection.readTimeout = TIMEOUT
            connection.instanceFollowRedirects = false
            headers.forEach { (name, value) -> connection.setRequestProperty(name, value) }
            if (body != null) {
                val bytes = body.toString().toByteArray()
                connection.requestMethod = "POST"
                connection.doOutput = true
                // Without it the JVM repeats a POST by itself if the connection ends early.
                connection.setFixedLengthStreamingMode(bytes.size)
                connection.setRequestProperty("Content-Type", "application/json")
                connection.outputStream.use { it.write(bytes) }
            }
            status = connection.responseCode
            val stream = if (status < 400) connection.inputStream else connection.errorStream
            text = stream?.use { it.readBytes().toString(Charsets.UTF_8) } ?: ""
        } catch (failure: IOException) {
            throw LeaderboardsException(0, "network", failure.message ?: "no response", null, failure)
        } finally {
            connection.disconnect()
        }
        if (status in 200..299) return JSONObject(text)
        val problem = try {
            JSONObject(text)
        } catch (notJson: JSONException) {
            JSONObject() // a gateway's own error page
        }
        throw LeaderboardsException(
            status,
            problem.optString("code", "http-$status"),
            problem.optString("detail", "status $status"),
            connection.getHeaderField("Retry-After")?.toDoubleOrNull()
        )
    }

    private companion object {
        const val ATTEMPTS = 4
        const val TIMEOUT = 10_000 // milliseconds, to connect and for each read
        const val LONGEST_WAIT = 20.0 // seconds; a longer Retry-After is left to the caller
    }
}
