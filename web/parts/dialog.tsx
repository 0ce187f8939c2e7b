/** A dialog over the page, which holds the focus until it is closed. */
import type { ReactNode } from "react";
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import "./dialog.css";

type Props = {
  title: string;
  open: boolean;
  onClose: () => void;
  /** It is answered before anything else: neither Escape nor a click beside it closes it. */
  urgent?: boolean;
  wide?: boolean;
  children: ReactNode;
};

export function Dialog({ title, open, onClose, urgent, wide, children }: Props) {
  return (
    <ModalOverlay
      className="scrim"
      isOpen={open}
      onOpenChange={(is) => !is && onClose()}
      isDismissable={!urgent}
      isKeyboardDismissDisabled={urgent ?? false}
    >
      <Modal className={wide ? "modal wide" : "modal"}>
        <AriaDialog role={urgent ? "alertdialog" : "dialog"} className="dialog">
          <Heading slot="title" className="dialog-title">
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** What can be done, at the end of a dialog. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>;
}
