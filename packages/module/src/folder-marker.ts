/** Marks a shared folder: without this file, it is not mounted. */
export const folderMarker = '.icosa-folder'
