package demo

// cases are what people ask the help desk for.
var cases = []ticketCase{
	{
		name: "Laptop does not start after the update", text: "It shows a blue screen with INACCESSIBLE_BOOT_DEVICE and starts again and again. I have a customer meeting at eleven.",
		category: "Hardware", subcategory: "Laptop", priority: "High", own: true,
		talk: []line{
			{helper, false, "Please leave it switched off, I am on my way with a loan laptop."},
			{helper, true, "Third one this week with the same storage driver. Check the pilot group before the update goes to everybody."},
			{asker, false, "Thank you, the loan laptop works. My files are all there."},
			{colleague, true, "Rolled the driver back on the pilot group."},
		},
		resolution: "Storage driver rolled back in the recovery environment; the update is held until the maker has a new one.",
	},
	{
		name: "No picture on the projector in the large meeting room", text: "The remote control works, the lamp is on, but the picture stays blue with every laptop.",
		category: "Hardware", subcategory: "Projector", priority: "Medium", asset: "Projector",
		talk: []line{
			{helper, false, "Which cable do you use, HDMI from the table or the wireless adapter?"},
			{asker, false, "The HDMI cable from the table."},
			{helper, false, "The cable is broken inside the table. I have put a new one on top for the time being."},
		},
		resolution: "HDMI cable in the table replaced.",
	},
	{
		name: "Please install the CAD viewer", text: "I get drawings from engineering and can only see a preview. A viewer is enough, I do not change anything.",
		category: "Software", subcategory: "Installation", priority: "Low", own: true,
		talk: []line{
			{helper, false, "The viewer is free of charge. I have started the installation, it is there after your next restart."},
			{asker, false, "Works, thanks!"},
		},
		resolution: "Viewer installed.",
	},
	{
		name: "VPN disconnects every few minutes", text: "At home the VPN drops about every ten minutes, and the remote desktop with it. In the office all is fine.",
		category: "Network", subcategory: "VPN", priority: "Medium", own: true,
		talk: []line{
			{helper, false, "Which provider do you have at home, and does it also happen with a cable instead of Wi-Fi?"},
			{asker, false, "With the cable it is better, but it still drops about once an hour."},
			{helper, true, "MTU again. The router takes 1492 and the client assumes 1500."},
			{helper, false, "I have sent a new profile to your laptop. Please connect again and tell me tomorrow how it went."},
		},
		resolution: "VPN profile with a smaller packet size.",
	},
	{
		name: "Password expired while on leave", text: "I am back from leave and cannot sign in, my password has expired.",
		category: "Account", subcategory: "Password", priority: "High",
		talk: []line{
			{helper, false, "I called you at your desk and have set a temporary password. Please change it now."},
		},
		resolution: "Password reset after a call back to the known number.",
	},
	{
		name: "New employee starts on the first of the month", text: "Please prepare a laptop, a telephone and accounts for a new colleague in our team. Same rights as I have.",
		category: "Service", subcategory: "Joiner", priority: "Medium",
		talk: []line{
			{helper, false, "Laptop or desktop? And is English or German the right keyboard?"},
			{asker, false, "Laptop, German keyboard. Two screens at the desk, please."},
			{colleague, true, "Last one with this memory size in the store, order more."},
			{helper, false, "All is ready and locked in the cabinet at the reception."},
		},
		resolution: "Laptop, telephone and accounts handed over.",
	},
	{
		name: "Printer on the second floor prints stripes", text: "Every page has a grey stripe on the left side, with all trays.",
		category: "Hardware", subcategory: "Printer", priority: "Low",
		talk: []line{
			{helper, false, "That is the drum. The maintenance firm comes tomorrow before noon."},
			{helper, true, "Covered by the maintenance contract, no order number needed."},
		},
		resolution: "Drum replaced by the maintenance firm.",
	},
	{
		name: "Shared drive is full", text: "Nobody in our department can save anything to the shared drive any more. It says that there is no space left.",
		category: "Storage", subcategory: "File server", priority: "Critical",
		talk: []line{
			{helper, false, "I am looking at it. Please save to your own drive for the moment."},
			{helper, true, "400 GB of videos from the trade fair, in five copies."},
			{helper, false, "There is room again. The videos of the trade fair have moved to the archive; the link in the old place still works."},
			{asker, false, "All good now, thank you."},
		},
		resolution: "Videos moved to the archive, alarm set at 85 %.",
	},
	{
		name: "Suspicious mail with an invoice attached", text: "I got an invoice from a supplier that we do not have, with a ZIP file. I have not opened it. Shall I delete it?",
		category: "Security", subcategory: "Phishing", priority: "High",
		talk: []line{
			{helper, false, "Well done. Please forward it as an attachment to the security mailbox and delete it then."},
			{helper, true, "14 others got it, two have opened the attachment. Their computers are off the network."},
			{colleague, true, "Both scanned and clean, back on the network."},
		},
		resolution: "Sender blocked, mail removed from all mailboxes.",
	},
	{
		name: "Second screen stays dark", text: "Since I came back from the meeting the second screen is not recognised. Other cable tried, same result.",
		category: "Hardware", subcategory: "Display", priority: "Medium", own: true, asset: "Monitor",
		talk: []line{
			{helper, false, "Please unplug the docking station for half a minute, power supply too."},
			{asker, false, "That helped! Why does it do that?"},
			{helper, false, "Its firmware is old. I have put the new one into tonight's updates."},
		},
		resolution: "Docking station restarted, firmware updated.",
	},
	{
		name: "Access to the finance reports", text: "For the yearly closing I need to read the reports of the last three years. My manager has agreed.",
		category: "Account", subcategory: "Permissions", priority: "Medium",
		talk: []line{
			{helper, false, "I need the agreement of the owner of the reports in writing. I have asked for it."},
			{helper, true, "Hélène has agreed by mail, filed with the request."},
		},
		resolution: "Read access until the end of the quarter.",
	},
	{
		name: "Excel is very slow with the planning workbook", text: "Opening the planning workbook takes four minutes, every change another ten seconds.",
		category: "Software", subcategory: "Office", priority: "Low", own: true,
		talk: []line{
			{helper, false, "How large is it? And does it open as slowly from your own drive?"},
			{asker, false, "180 MB. From my own drive it takes one minute."},
			{helper, false, "It has links to 22 other workbooks. I have shown you which ones can go."},
		},
		resolution: "Outdated links removed, the workbook has 9 MB now.",
	},
	{
		name: "Telephone lost on the train", text: "I left my telephone on the train this morning. The lost property office has nothing yet.",
		category: "Hardware", subcategory: "Telephone", priority: "Critical", asset: "Smartphone",
		talk: []line{
			{helper, false, "I have locked and wiped it from here, and blocked the card. A spare one is at the reception for you."},
			{colleague, true, "Reported to data protection. The device was encrypted, so nothing further to do."},
		},
		resolution: "Telephone wiped, card blocked, spare one handed over.",
	},
	{
		name: "Fan is loud all day", text: "The fan of my computer runs at full speed even when I only read mail. Colleagues have begun to complain.",
		category: "Hardware", subcategory: "Noise", priority: "Low", own: true,
		talk: []line{
			{helper, false, "I will come by this afternoon and clean it."},
			{helper, true, "Not dust: the heat pipe is bent. Under warranty for another two months."},
		},
		resolution: "Cooler replaced under warranty.",
	},
	{
		name: "Wi-Fi is weak in the warehouse", text: "The scanners lose the connection between aisles 7 and 9. It became worse when the new shelves came.",
		category: "Network", subcategory: "Wi-Fi", priority: "Medium", asset: "Access Point",
		talk: []line{
			{helper, false, "We measure on Thursday. The new shelves are metal, so we shall probably need one more access point."},
			{colleague, true, "There is a free port on the switch in aisle 8."},
			{helper, false, "The additional access point is ordered."},
		},
		resolution: "Access point added in aisle 8.",
	},
	{
		name: "Restore a deleted folder", text: "The folder with the offers of last year has gone, probably deleted by mistake. It was there on Monday.",
		category: "Storage", subcategory: "Restore", priority: "High",
		talk: []line{
			{helper, false, "I restore it from the night to Tuesday beside the present ones, as Offers-restored. Please look what you need."},
			{asker, false, "Everything is there. You have saved my week!"},
		},
		resolution: "Folder restored from the backup.",
	},
	{
		name: "Docking station does not charge", text: "The laptop runs empty although it stands in the docking station.",
		category: "Hardware", subcategory: "Docking station", priority: "Medium", own: true,
		talk: []line{
			{helper, false, "Is the small light at the plug white or orange?"},
			{asker, false, "Orange."},
			{helper, false, "Then its power supply is too weak for this model. You get a larger one today."},
		},
		resolution: "Power supply with 130 W handed over.",
	},
	{
		name: "Calendar shows meetings one hour late", text: "Since the change of the clocks all meetings with Boston are shown one hour late on my telephone.",
		category: "Software", subcategory: "Calendar", priority: "Low", asset: "Smartphone",
		talk: []line{
			{helper, false, "The time zone on the telephone is fixed. Please switch on automatic time in the settings."},
			{asker, false, "That was it."},
		},
		resolution: "Automatic time zone switched on.",
	},
	{
		name: "Scanner sends mails to a wrong address", text: "When I scan to my mailbox, the document arrives at a colleague with nearly the same name.",
		category: "Hardware", subcategory: "Printer", priority: "Medium",
		talk: []line{
			{helper, false, "Two entries in the address book of the device had the same short name. Please try again."},
			{helper, true, "Tell data protection: payslips were among the documents."},
			{asker, false, "Arrives at the right place now."},
		},
		resolution: "Address book of the device corrected.",
	},
	{
		name: "Licence of the drawing program has expired", text: "It starts with a message that the licence ended yesterday and closes itself after a minute.",
		category: "Software", subcategory: "Licence", priority: "High", own: true,
		talk: []line{
			{helper, false, "The renewal is ordered. I have entered a bridge licence for 14 days meanwhile."},
			{helper, true, "Renewal needs six weeks: it has to be on the list of contracts that end soon."},
		},
		resolution: "Renewed licence entered.",
	},
	{
		name: "Move of three desks to the fourth floor", text: "Our team moves on Friday afternoon. Three desks with screens, two telephones, one printer.",
		category: "Service", subcategory: "Move", priority: "Low",
		talk: []line{
			{helper, false, "Noted. Please label the screens with your names on Friday before noon."},
			{colleague, false, "Network sockets 4.17 to 4.22 are patched."},
		},
		resolution: "Moved and tested on Friday evening.",
	},
	{
		name: "Keyboard types wrong characters", text: "Y and Z are exchanged and I cannot type an @ any more.",
		category: "Software", subcategory: "Settings", priority: "None", own: true,
		talk: []line{
			{helper, false, "You have switched the keyboard layout: Windows key and space bar switch it back."},
			{asker, false, "Indeed. Sorry to bother you!"},
		},
		resolution: "Keyboard layout switched back.",
	},
	{
		name: "Backup of the order database failed", text: "The backup job of last night ended with an error: no space on the target.",
		category: "Storage", subcategory: "Backup", priority: "Critical",
		talk: []line{
			{helper, true, "Old full backups were not removed, the retention job had been disabled since the update."},
			{helper, false, "Backup was repeated at noon and verified. The nightly job is watched this week."},
		},
		resolution: "Retention job enabled again, backup repeated and verified.",
	},
	{
		name: "Webcam is not found in video calls", text: "In every call it says that there is no camera. The lamp beside it does not light up either.",
		category: "Hardware", subcategory: "Camera", priority: "Medium", own: true,
		talk: []line{
			{helper, false, "There is a small slider above the camera, and a key with a crossed-out camera. Which of the two is on?"},
			{asker, false, "The key! I did not know that it exists."},
		},
		resolution: "Camera had been switched off by its key.",
	},
	{
		name: "Test bench needs an older browser", text: "The software of the test bench only works with a browser from 2019. The update last week has broken it.",
		category: "Software", subcategory: "Compatibility", priority: "Medium", own: true,
		talk: []line{
			{helper, false, "An old browser must not go into the office network. We put the test bench into the laboratory network instead."},
			{helper, true, "Needs a firewall rule and a risk entry. Ask the maker for an update too."},
			{asker, false, "Agreed, as long as we can get at the measurements."},
		},
		resolution: "Test bench moved to the laboratory network, browser pinned there.",
	},
	{
		name: "Mailbox is full", text: "I cannot send mails any more, the mailbox has reached its limit.",
		category: "Account", subcategory: "Mailbox", priority: "Medium",
		talk: []line{
			{helper, false, "I have switched on the archive: mails older than two years move there by themselves. Sending works at once."},
		},
		resolution: "Archive mailbox switched on.",
	},
	{
		name: "Label printer prints half a label", text: "The second half of each shipping label is missing. We have 40 parcels waiting.",
		category: "Hardware", subcategory: "Label printer", priority: "High",
		talk: []line{
			{helper, false, "Please keep the feed key pressed for five seconds until it moves three labels: it measures them again."},
			{asker, false, "It prints whole labels again. Parcels are out."},
		},
		resolution: "Label size calibrated.",
	},
	{
		name: "Guest access for the auditors", text: "Five auditors are in the house from Monday to Wednesday and need the internet, nothing else.",
		category: "Network", subcategory: "Guest access", priority: "Low",
		talk: []line{
			{helper, false, "The vouchers are at the reception, each for one device and three days."},
		},
		resolution: "Five vouchers issued.",
	},
	{
		name: "Disk encryption asks for the recovery key", text: "After the repair my laptop asks for a recovery key of 48 digits at every start.",
		category: "Security", subcategory: "Encryption", priority: "High", own: true,
		talk: []line{
			{helper, false, "The new main board has another security chip. I read the key to you on the telephone, then we bind the disk to the new chip."},
			{asker, false, "Starts normally again."},
		},
		resolution: "Encryption bound to the new security chip, recovery key changed.",
	},
	{
		name: "Conference system has no sound", text: "The others can hear us, but we hear nothing from them. Muting and unmuting does not help.",
		category: "Hardware", subcategory: "Meeting room", priority: "Medium", asset: "Conference System",
		talk: []line{
			{helper, false, "The sound goes to the television, which is muted. I set the bar as the output for good."},
			{colleague, true, "Same setting in Paris and London, done from here."},
		},
		resolution: "Sound output set to the bar below the screen.",
	},
	{
		name: "Return of a laptop after leaving", text: "A colleague leaves at the end of the month. When and where shall the devices be handed in?",
		category: "Service", subcategory: "Leaver", priority: "Low",
		talk: []line{
			{helper, false, "On the last day, at the reception, with power supply and docking station. The account is disabled at six in the evening."},
			{helper, true, "Wipe and put into the loan pool."},
		},
		resolution: "Devices handed in and wiped.",
	},
	{
		name: "Time on the shop floor terminal is wrong", text: "The terminal on line 3 is seven minutes slow, so that bookings at the end of a shift go wrong.",
		category: "Hardware", subcategory: "Terminal", priority: "Medium",
		talk: []line{
			{helper, false, "It asked a time server that does not exist any more. Corrected; please watch it until Friday."},
			{asker, false, "Right to the second since then."},
		},
		resolution: "Time server changed on all terminals.",
	},
}
