import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isIPv4, type Socket } from 'node:net'

export interface Wall {
  /** Address of every connection this process has tried to open, in order. */
  readonly dialled: string[]
  remove(): void
}

/**
 * Intercepts every TCP connection of the process just before it is made, and blocks all but loopback: even a broken
 * guard cannot reach third parties from a test.
 */
export function wall(): Wall {
  const dialled: string[] = []
  const blockList = {
    check(address: string): boolean {
      dialled.push(address)
      return isIPv4(address) ? !address.startsWith('127.') : address !== '::1'
    },
  }
  const watch = (message: unknown) => void Object.assign((message as { socket: Socket }).socket, { blockList })
  subscribe('net.client.socket', watch)
  return { dialled, remove: () => void unsubscribe('net.client.socket', watch) }
}
