import type { ImageSku } from './api/contract.ts'

/** Resources of an instance. */
export interface Size {
  readonly memoryBytes: number
  readonly diskBytes: number
  readonly connections: number
}

const size = (memoryMb: number, diskGb: number, connections: number): Size => ({
  memoryBytes: memoryMb * 1024 ** 2,
  diskBytes: diskGb * 1024 ** 3,
  connections,
})

export const sizes: Readonly<Record<ImageSku, Size>> = {
  Developer: size(256, 10, 25),
  Express: size(256, 10, 25),
  Web: size(512, 25, 50),
  Standard: size(1_024, 100, 100),
  Enterprise: size(4_096, 500, 200),
}

/** A monitor stores a few rows, and has a few connections per machine. */
export const monitorSize: Size = size(128, 1, 50)
