import { createReadStream, createWriteStream } from 'node:fs'
import { link, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Backup, Failure, notFound } from '@icosa/kernel'

export const thingType = 'Vendor.Test/things'
export const thingId = (name: string) => `/things/${name}`
const nameOf = (id: string) => id.replace('/things/', '')

/** Files in a folder as resources: the smallest possible implementation. */
export function thingBackup(folder: string): Backup {
  return {
    type: thingType,
    async read(id) {
      const file = join(folder, nameOf(id))
      await stat(file).catch(() => notFound('thing', id))
      return { content: createReadStream(file), metadata: { name: nameOf(id) } }
    },
    async restore({ id, metadata, content, tags }, { transaction }) {
      const name = metadata.name ?? ''
      const file = join(folder, name)
      // The second link stays: a worker that takes over recognizes by it that this restore has created the file.
      const part = join(folder, `.${id}`)
      const inode = await inodeOf(file)
      if (inode !== undefined && inode !== (await inodeOf(part)))
        throw new Failure('alreadyExists', `A thing '${name}' already exists.`)
      if (inode === undefined)
        try {
          await pipeline(content, createWriteStream(part))
          await link(part, file)
        } catch (error) {
          await rm(part, { force: true })
          throw error
        }
      await transaction((_, __, resources) => resources.put({ id: thingId(name), type: thingType, name, tags }))
      return thingId(name)
    },
    trial: (metadata, id) => ({ ...metadata, name: `restored-${id}` }),
    async remove(id, { transaction }) {
      await rm(join(folder, nameOf(id)), { force: true })
      await transaction((_, __, resources) => resources.remove(id))
    },
  }
}

const inodeOf = (file: string) =>
  stat(file).then(
    ({ ino }) => ino,
    () => undefined,
  )
