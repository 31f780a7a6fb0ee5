#!/bin/sh
# Runs tests/broker.rs against a RabbitMQ server of its own: installs Debian's package when there is none (root, about
# 130 MB), starts it on loopback with a temporary home, waits until it is ready, and stops it however the test ends.
#
#   tests/broker.sh [arguments of cargo test, none of them behind --]
set -eu

port=${BYTETWIN_BROKER_PORT:-56720}
server=/usr/lib/rabbitmq/bin/rabbitmq-server

if [ ! -x "$server" ]; then
    [ "$(id -u)" -eq 0 ] || { echo "rabbitmq-server is not installed; installing it needs root" >&2; exit 2; }
    echo "installing rabbitmq-server"
    apt-get update --quiet
    # Run level 1: the package does not start its own server.
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends rabbitmq-server
fi

home=$(mktemp -d)
export HOME="$home"
export RABBITMQ_NODENAME="bytetwin$$@localhost"
export RABBITMQ_NODE_IP_ADDRESS=127.0.0.1 RABBITMQ_NODE_PORT="$port" RABBITMQ_DIST_PORT=$((port + 1))
export ERL_EPMD_ADDRESS=127.0.0.1 ERL_EPMD_PORT=$((port + 2))
export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1}"
export RABBITMQ_MNESIA_BASE="$home/data" RABBITMQ_LOG_BASE="$home/log" RABBITMQ_PID_FILE="$home/pid"
export RABBITMQ_CONFIG_FILE="$home/none" RABBITMQ_ENABLED_PLUGINS_FILE="$home/plugins"
export RABBITMQ_CONF_ENV_FILE="$home/none.conf" RABBITMQ_ADVANCED_CONFIG_FILE="$home/none.config"
echo '[].' > "$RABBITMQ_ENABLED_PLUGINS_FILE"

stop() {
    status=$?
    trap - EXIT INT TERM
    if [ -s "$RABBITMQ_PID_FILE" ]; then
        kill "$(cat "$RABBITMQ_PID_FILE")" 2>/dev/null || true
    fi
    kill "$started" 2>/dev/null || true
    wait "$started" 2>/dev/null || true
    # The name server is ours: it listens on a port that only this run knows.
    epmd -port "$ERL_EPMD_PORT" -kill >/dev/null 2>&1 || true
    if [ "$status" -ne 0 ]; then
        tail -n 30 "$home/server.out" >&2 || true
    fi
    rm -rf "$home"
    exit "$status"
}

"$server" > "$home/server.out" 2>&1 &
started=$!
trap stop EXIT INT TERM

waited=0
until grep -q 'completed with' "$home/server.out" "$home"/log/*.log 2>/dev/null; do
    if ! kill -0 "$started" 2>/dev/null || [ "$waited" -ge 120 ]; then
        echo "the broker did not start" >&2
        exit 1
    fi
    sleep 1
    waited=$((waited + 1))
done
echo "broker ready on 127.0.0.1:$port after $waited s"

# Cargo has its settings in the real home.
HOME=$(getent passwd "$(id -u)" | cut -d: -f6) BYTETWIN_BROKER="127.0.0.1:$port" cargo test --test broker "$@" -- --ignored
