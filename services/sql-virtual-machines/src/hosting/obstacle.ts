/** What keeps an instance from starting and does not pass by itself. */
export type ObstacleKind = 'PortTaken' | 'PortUnusable' | 'DiskFull' | 'KeeperMissing'

export class Obstacle extends Error {
  readonly kind: ObstacleKind

  /** The message says what to do about it. */
  constructor(kind: ObstacleKind, message: string) {
    super(message)
    this.kind = kind
  }
}
