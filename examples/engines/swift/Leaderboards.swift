// A client for games in Swift 5.7 or later: iOS 15, macOS 12, tvOS 15. It needs Foundation alone.
import Foundation

public struct ScoreResult: Decodable {
    public let status: String  // accepted, improved, kept, replayed; queued or held have no rank yet
    public let score: Double?
    public let rank: Int?
    public let total: Int?
}

public struct Entry: Decodable {
    public let rank: Int
    public let player: String
    public let name: String?
    public let score: Double
}

public struct Page: Decodable {
    public let total: Int
    public let entries: [Entry]
    public let next_cursor: String?  // nil on the last page
}

public struct Card: Decodable {
    public let rank: Int?  // nil if the player is not on the board
    public let score: Double?
    public let total: Int
    public let percentile: Double?
}

/// An error response of the API, or a request without a response.
public struct LeaderboardsError: Error {
    public let status: Int  // 0 without a response
    public let code: String  // as in the list of errors, such as "date-closed"; "network" without a response
    public let detail: String
    public let retryAfter: Double?  // seconds

    /// A conflict is temporary while an earlier attempt with the same key is still running.
    public var isTemporary: Bool {
        [0, 408, 429].contains(status) || (status >= 500 && status != 501) || code == "idempotency-key-in-use"
    }
}

public final class Leaderboards {
    private let url: URL
    private let token: () async throws -> String
    private let session: URLSession
    private let attempts = 4
    private let timeout = 10.0  // seconds, of one attempt
    private let longestWait = 20.0  // seconds; a longer Retry-After is left to the caller

    /// `token` returns the player's current session or device token; it is called before each attempt.
    public init(url: URL, session: URLSession = .shared, token: @escaping () async throws -> String) {
        self.url = url.appendingPathComponent("v1")
        self.session = session
        self.token = token
    }

    /// Submits a score. A score that must survive a restart of the game needs a key of the caller's:
    /// store it with the score, and send both again until there is a result.
    public func submit(mode: String, score: Double, key: String = UUID().uuidString) async throws -> ScoreResult {
        struct Submission: Encodable {
            let mode: String
            let score: Double
        }
        let body = try JSONEncoder().encode(Submission(mode: mode, score: score))
        return try await ask("scores", own: true, body: body, key: key)
    }

    /// Reads a page of a board; `cursor` is the `next_cursor` of the page before.
    public func page(mode: String, period: String = "day", limit: Int = 50, cursor: String? = nil) async throws -> Page {
        var query = ["period": period, "limit": String(limit)]
        query["cursor"] = cursor
        return try await ask("leaderboards/" + mode, query: query)
    }

    public func ownCard(mode: String, period: String = "day") async throws -> Card {
        try await ask("leaderboards/\(mode)/players/me", query: ["period": period], own: true)
    }

    // All attempts send the same key, so the request takes effect once. A body makes it a POST.
    private func ask<T: Decodable>(
        _ path: String, query: [String: String] = [:], own: Bool = false, body: Data? = nil, key: String? = nil
    ) async throws -> T {
        var address = URLComponents(url: url.appendingPathComponent(path), resolvingAgainstBaseURL: false)!
        if !query.isEmpty {
            address.queryItems = query.map { URLQueryItem(name: $0.key, value: $0.value) }
        }
        var request = URLRequest(url: address.url!, timeoutInterval: timeout)
        if let body = body {
            request.httpMethod = "POST"
            request.httpBody = body
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        if let key = key {
            request.setValue("\"\(key)\"", forHTTPHeaderField: "Idempotency-Key")
        }
        var attempt = 1
        while true {
            if own {
                request.setValue("Bearer " + (try await token()), forHTTPHeaderField: "Authorization")
            }
            do {
                return try JSONDecoder().decode(T.self, from: try await send(request))
            } catch let failure as LeaderboardsError {
                let wait = failure.retryAfter ?? Double.random(in: 0..<1) * 0.25 * pow(2, Double(attempt))
                if !failure.isTemporary || attempt == attempts || wait > longestWait {
                    throw failure
                }
                try await Task.sleep(nanoseconds: UInt64(wait * 1_000_000_000))
                attempt += 1
            }
        }
    }

    private func send(_ request: URLRequest) async throws -> Data {
        let data: Data
        let answer: URLResponse
        do {
            (data, answer) = try await session.data(for: request)
        } catch let failure as URLError where failure.code != .cancelled {
            throw LeaderboardsError(status: 0, code: "network", detail: failure.localizedDescription, retryAfter: nil)
        }
        guard let response = answer as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        if (200..<300).contains(response.statusCode) {
            return data
        }
        struct Problem: Decodable {
            let code: String
            let detail: String
        }
        let problem = try? JSONDecoder().decode(Problem.self, from: data)  // a gateway's own error page is not JSON
        throw LeaderboardsError(
            status: response.statusCode,
            code: problem?.code ?? "http-\(response.statusCode)",
            detail: problem?.detail ?? "status \(response.statusCode)",
            retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init))
    }
}
