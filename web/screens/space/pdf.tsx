/** A PDF of the space or of one page: asked for, made beside, and offered when it is there. */
import { useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { useEffect, useState } from "react";
import type { At } from "../../api/addresses";
import { sentence } from "../../api/client";
import { pdf, pdfProgress } from "../../api/content";
import { Button } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";

export function Pdf({ at, page, title, open: isOpen, onClose }: { at: At; page?: string; title: string; open: boolean; onClose: () => void }) {
  return (
    <Dialog title={`PDF of ${title}`} open={isOpen} onClose={onClose}>
      <Inside at={at} page={page} onClose={onClose} />
    </Dialog>
  );
}

function Inside({ at, page, onClose }: { at: At; page?: string; onClose: () => void }) {
  const [asks, setAsks] = useState(true);
  const made = useQuery({ ...pdf(at, page), enabled: asks, retry: false, gcTime: 0 });
  const far = useQuery({ ...pdfProgress(at, page), enabled: asks && !made.data, refetchInterval: 800 }).data;
  useEffect(() => {
    if (made.data) setAsks(false);
  }, [made.data]);
  return (
    <>
      {made.error ? (
        <p className="wrong" role="alert">{sentence(made.error)}</p>
      ) : made.data ? (
        <p>It is ready. Its address serves for an hour.</p>
      ) : (
        <p role="status">
          <progress value={far?.total ? (far.done ?? 0) / far.total : undefined} aria-label="How far the PDF is" /> {far?.total ? `${far.done ?? 0} of ${far.total} pages` : "It is being made…"}
        </p>
      )}
      <Actions>
        <Button onPress={onClose}>Close</Button>
        {made.data && (
          <Button look="primary" icon={<FileDown />} onPress={() => { open(made.data.url, "_blank", "noopener"); onClose(); }}>
            Open it
          </Button>
        )}
      </Actions>
    </>
  );
}
