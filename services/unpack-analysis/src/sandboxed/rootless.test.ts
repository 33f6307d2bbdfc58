import { asOrdinaryUser, hasUserNamespaces } from '@icosa/testing'
import { expect, test } from 'vitest'
import { Workshop } from '../testing/build.ts'
import { downloader } from '../testing/programs.ts'

test.runIf(hasUserNamespaces())('an ordinary user can unpack a program', async () => {
  using workshop = new Workshop()
  const packed = workshop.pack(workshop.compile(64, downloader()))
  const module = new URL('../testing/ordinary-user.ts', import.meta.url)
  expect(await asOrdinaryUser(module, { 'packed.exe': packed })).toEqual({ packer: 'UPX', begins: 'MZ' })
})
