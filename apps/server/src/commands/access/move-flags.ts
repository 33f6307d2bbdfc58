/** How nodes of the cells of a move are configured, where this differs from the environment of the command. */
export const cellFlags = {
  'source-env': { type: 'string' },
  'target-env': { type: 'string' },
  'source-blobs': { type: 'string' },
  'target-blobs': { type: 'string' },
} as const
