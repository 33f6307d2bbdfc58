/** The file by which nodes recognize a folder that they share: without it, the folder is not mounted. */
export const folderMarker = '.icosa-folder'
