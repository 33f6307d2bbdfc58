import { isIP } from 'node:net'

export const isAddress = (text: string) => isIP(text) !== 0
