/** A reason why an instance cannot start, which does not resolve itself. */
export type ObstacleKind = 'PortTaken' | 'PortUnusable' | 'DiskFull' | 'KeeperMissing'

export class Obstacle extends Error {
  readonly kind: ObstacleKind

  /** The message contains a remedy. */
  constructor(kind: ObstacleKind, message: string) {
    super(message)
    this.kind = kind
  }
}
