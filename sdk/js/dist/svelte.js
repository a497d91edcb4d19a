import { connect } from "./connect.js";
/** connected connects an element: `<framedle-leaderboard mode="daily" use:connected={{ getToken, onPlayer }} />`. */
export function connected(node, connection = {}) {
    let latest = connection;
    let end = connect(node, () => latest);
    return {
        update(connection) {
            const isOther = !connection.getToken !== !latest.getToken; // signed in or out for good
            latest = connection;
            if (!isOther)
                return;
            end();
            end = connect(node, () => latest);
        },
        destroy: () => end(),
    };
}
