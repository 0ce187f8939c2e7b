/** Putting rows of a tree elsewhere by mouse, and by the handles of its rows; loaded where that can be done. */
import { type DropTarget, useDragAndDrop } from "react-aria-components";
import type { Order } from "./tree";

const KIND = "octavo-page";

export function useOrder(order: Omit<Order, "hooks"> | undefined) {
  return useDragAndDrop({
    isDisabled: !order,
    getItems: (keys) => [...keys].map((key) => ({ [KIND]: String(key), "text/plain": String(key) })),
    acceptedDragTypes: [KIND],
    getAllowedDropOperations: () => ["move"],
    shouldAcceptItemDrop: () => true,
    getDropOperation: (target: DropTarget, types) => (target.type === "item" && types.has(KIND) ? "move" : "cancel"),
    onMove: ({ keys, target }) => {
      const id = String([...keys][0]);
      if (order?.may(id, String(target.key), target.dropPosition)) order.drop(id, String(target.key), target.dropPosition);
    },
  }).dragAndDropHooks;
}
