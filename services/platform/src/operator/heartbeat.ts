import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { clockSkewMs, every, type OnStop, type Platform } from '@icosa/kernel'
import { putHeartbeat, removeNode } from './store.ts'

const everyMs = 20_000

/** Announces this node to the cell, until it stops. */
export async function announceNode({ database, node, log }: Platform, version: string, onStop: OnStop): Promise<void> {
  const services = node.services.map(({ name }) => name)
  const own = { id: randomUUID(), host: hostname(), process: process.pid, version, roles: node.roles, services }
  const beat = () => putHeartbeat(database, { ...own, clockSkewMs: clockSkewMs() })
  const onError = (err: unknown) => log.warn({ err }, 'cannot write the heartbeat of this node')
  await beat().catch(onError)
  const stop = every(everyMs, beat, onError)
  onStop(async () => {
    stop()
    await removeNode(database, own.id).catch(onError)
  })
}
