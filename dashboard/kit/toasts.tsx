import { Notifications, notifications } from '@mantine/notifications'

// This module is loaded with the first toast.

export const { show, hide } = notifications

export default function Toasts() {
  return <Notifications position="bottom-right" />
}
