import type { Platform } from '@icosa/kernel'

/** A reset reaches what every service keeps. */
export type Held = Pick<Platform, 'blobs'>

export const start = ({ blobs }: Platform): Held => ({ blobs })
