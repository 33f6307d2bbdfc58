'use strict'
/**
 * Carries outbound TCP connections of this process to the platform's proxy, which decides about them. The sandbox has no network:
 * the node dials into /sockets/egress, and each connection serves one outbound one. Other programs use the same by HTTP_PROXY.
 */
const dns = require('node:dns')
const net = require('node:net')
const { pipeline } = require('node:stream')

const proxyPort = 3128
const waitMs = 30_000
/** Public address of the platform: in development, it is on the loopback of the node. */
const platform = process.env.PLATFORM_ADDRESS
const spares = []
const waiting = []
const { connect } = net.Socket.prototype

/** Addresses that stand for names, which only the proxy can resolve. */
const names = []
const addressOf = (name) => {
  const known = names.indexOf(name)
  const index = known < 0 ? names.push(name) - 1 : known
  return `240.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`
}
const nameAt = (address) => {
  const [first, ...rest] = address.split('.').map(Number)
  return first === 240 ? (names[rest.reduce((sum, byte) => sum * 256 + byte, 0)] ?? address) : address
}

const isLocal = (host) => /^(localhost|127\.[\d.]+|::1|\[::1\]|0\.0\.0\.0|::)$/i.test(host)

function failure(code, message, host, port) {
  return Object.assign(new Error(message), { code, errno: code, syscall: 'connect', address: host, port })
}

/** Takes a connection that the node has opened. */
function carrier(done) {
  const spare = spares.shift()
  if (spare) return done(undefined, spare.ref())
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(take), 1)
    done(failure('ETIMEDOUT', 'connect ETIMEDOUT: no connection is free'))
  }, waitMs)
  const take = (socket) => {
    clearTimeout(timer)
    done(undefined, socket.ref())
  }
  waiting.push(take)
}

/** Opens a tunnel through the proxy. */
function tunnel(host, port, done) {
  carrier((error, socket) => {
    if (error) return done(error)
    let head = Buffer.alloc(0)
    const settle = (problem) => {
      socket.off('data', read).off('close', closed)
      if (!problem) return done(undefined, socket.pause())
      socket.destroy()
      done(problem)
    }
    const closed = () => settle(failure('ECONNRESET', `connect ECONNRESET ${host}:${port}`, host, port))
    const read = (chunk) => {
      head = Buffer.concat([head, chunk])
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const status = Number(head.toString('latin1', 9, 12))
      if (status === 200) {
        socket.pause()
        if (head.length > end + 4) socket.unshift(head.subarray(end + 4))
        return settle()
      }
      const reason = head.toString('utf8', end + 4).trim()
      settle(failure(status === 403 ? 'EACCES' : 'ECONNREFUSED', `connect ${host}:${port}: ${reason}`, host, port))
    }
    socket.on('data', read).on('close', closed)
    const authority = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`)
  })
}

function join(a, b) {
  pipeline(a, b, () => {})
  pipeline(b, a, () => {})
  a.once('close', () => b.destroy())
  b.once('close', () => a.destroy())
}

/** Gives a tunnel a local port, so that any kind of socket can connect to it. */
function openDoor(host, port, done) {
  tunnel(host, port, (error, socket) => {
    if (error) return done(error)
    const door = net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
      door.close()
      join(client.on('error', () => {}), socket)
      client.resume()
    })
    const cancel = () => {
      door.close()
      socket.destroy()
    }
    socket.once('close', () => door.close())
    door.listen(0, '127.0.0.1', () => done(undefined, door.address().port, cancel))
  })
}

function outbound(...args) {
  const [options, callback] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args)
  const host = nameAt(String(options.host ?? 'localhost').replace(/^\[|\]$/g, ''))
  const isInside = isLocal(host) && `${host}:${options.port}` !== platform
  if (options.path || isInside) return connect.apply(this, args)
  if (callback) this.once('connect', callback)
  let isOpen = false
  this.connecting = true
  openDoor(host, Number(options.port), (error, port, cancel) => {
    if (this.destroyed) return cancel?.()
    this.once('close', () => !isOpen && cancel?.())
    this.once('connect', () => {
      isOpen = true
    })
    if (error) return this.destroy(error)
    connect.call(this, { ...options, host: '127.0.0.1', port, family: 4, lookup: undefined, localAddress: undefined })
  })
  return this
}

function withNames(lookup) {
  return function (name, options, callback = options) {
    const { family, all } = typeof options === 'number' ? { family: options } : typeof options === 'object' ? options : {}
    if (!name || net.isIP(name) || isLocal(name) || family === 6) return lookup.apply(this, arguments)
    const address = addressOf(name)
    process.nextTick(() => (all ? callback(null, [{ address, family: 4 }]) : callback(null, address, 4)))
  }
}

exports.openNetwork = () => {
  net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {}).unref()
    const take = waiting.shift()
    if (take) return take(socket)
    spares.push(socket)
    socket.once('close', () => {
      const at = spares.indexOf(socket)
      if (at >= 0) spares.splice(at, 1)
    })
  })
    .listen('/sockets/egress')
    .unref()
  net.createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => {})
    carrier((error, socket) => {
      if (error) return client.destroy()
      join(client, socket)
      client.resume()
    })
  })
    .listen(proxyPort, '127.0.0.1')
    .unref()
  net.Socket.prototype.connect = outbound
  const { lookup } = dns.promises
  dns.lookup = withNames(dns.lookup)
  dns.promises.lookup = async (name, options = {}) => {
    const family = typeof options === 'number' ? options : options.family
    if (net.isIP(name) || isLocal(name) || family === 6) return lookup(name, options)
    const found = { address: addressOf(name), family: 4 }
    return options.all ? [found] : found
  }
}
